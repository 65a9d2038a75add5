package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// The sources that name a storage system directly. Most are history; their rules are short.

// blockSources checks the sources between hostPath and projected, in upstream's order.
func (v *podValidator) blockSources(at *check.Path, vol *corev1.Volume, one func(set bool, name string) bool) {
	s := &vol.VolumeSource
	if one(s.GitRepo != nil, "gitRepo") {
		if s.GitRepo.Repository == "" {
			v.Required(at, "gitRepo.repository", "")
		}
		v.localPath(at, "gitRepo.directory", s.GitRepo.Directory)
	}
	if one(s.GCEPersistentDisk != nil, "gcePersistentDisk") {
		v.needs(at, "persistentDisk.pdName", s.GCEPersistentDisk.PDName)
		v.partition(at, "persistentDisk.partition", s.GCEPersistentDisk.Partition)
	}
	if one(s.AWSElasticBlockStore != nil, "awsElasticBlockStore") {
		v.needs(at, "awsElasticBlockStore.volumeID", s.AWSElasticBlockStore.VolumeID)
		v.partition(at, "awsElasticBlockStore.partition", s.AWSElasticBlockStore.Partition)
	}
	if one(s.Secret != nil, "secret") {
		v.secretVolume(at, s.Secret)
	}
	if one(s.NFS != nil, "nfs") {
		v.nfs(at, s.NFS)
	}
	if one(s.ISCSI != nil, "iscsi") {
		v.iscsi(at, s.ISCSI)
	}
	if s.ISCSI != nil && s.ISCSI.InitiatorName != nil && len(vol.Name+":"+s.ISCSI.TargetPortal) > 64 {
		v.Invalid(at, "name", vol.Name, "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.")
	}
	if one(s.Glusterfs != nil, "glusterfs") {
		v.needs(at, "glusterfs.endpoints", s.Glusterfs.EndpointsName)
		v.needs(at, "glusterfs.path", s.Glusterfs.Path)
	}
	if one(s.Flocker != nil, "flocker") {
		v.flocker(at, s.Flocker)
	}
	if one(s.PersistentVolumeClaim != nil, "persistentVolumeClaim") {
		v.needs(at, "persistentVolumeClaim.claimName", s.PersistentVolumeClaim.ClaimName)
	}
	if one(s.RBD != nil, "rbd") {
		if len(s.RBD.CephMonitors) == 0 {
			v.Required(at, "rbd.monitors", "")
		}
		v.needs(at, "rbd.image", s.RBD.RBDImage)
	}
	if one(s.Cinder != nil, "cinder") {
		v.needs(at, "cinder.volumeID", s.Cinder.VolumeID)
		if s.Cinder.SecretRef != nil {
			v.needs(at, "cinder.secretRef.name", s.Cinder.SecretRef.Name)
		}
	}
	if one(s.CephFS != nil, "cephFS") && len(s.CephFS.Monitors) == 0 {
		v.Required(at, "cephfs.monitors", "")
	}
	v.moreBlockSources(at, vol, one)
}

func (v *podValidator) moreBlockSources(at *check.Path, vol *corev1.Volume, one func(set bool, name string) bool) {
	s := &vol.VolumeSource
	if one(s.Quobyte != nil, "quobyte") {
		v.quobyte(at, s.Quobyte)
	}
	if one(s.DownwardAPI != nil, "downwarAPI") { // upstream's spelling
		v.downwardAPIVolume(at, s.DownwardAPI)
	}
	if one(s.FC != nil, "fc") {
		v.fibreChannel(at, s.FC)
	}
	if one(s.FlexVolume != nil, "flexVolume") {
		v.flexVolume(at, s.FlexVolume)
	}
	if one(s.ConfigMap != nil, "configMap") {
		v.configMapVolume(at, s.ConfigMap)
	}
	if one(s.AzureFile != nil, "azureFile") {
		v.needs(at, "azureFile.secretName", s.AzureFile.SecretName)
		v.needs(at, "azureFile.shareName", s.AzureFile.ShareName)
	}
	if one(s.VsphereVolume != nil, "vsphereVolume") {
		v.needs(at, "vsphereVolume.volumePath", s.VsphereVolume.VolumePath)
	}
	if one(s.PhotonPersistentDisk != nil, "photonPersistentDisk") {
		v.needs(at, "photonPersistentDisk.pdID", s.PhotonPersistentDisk.PdID)
	}
	if one(s.PortworxVolume != nil, "portworxVolume") {
		v.needs(at, "portworxVolume.volumeID", s.PortworxVolume.VolumeID)
	}
	if one(s.AzureDisk != nil, "azureDisk") {
		v.azureDisk(at, s.AzureDisk)
	}
	if one(s.StorageOS != nil, "storageos") {
		v.storageOS(at, s.StorageOS)
	}
}

func (v *podValidator) needs(at *check.Path, child, value string) {
	if value == "" {
		v.Required(at, child, "")
	}
}

func (v *podValidator) partition(at *check.Path, child string, n int32) {
	if n < 0 || n > 255 {
		v.Invalid(at, child, n, validation.InclusiveRangeError(1, 255))
	}
}

func (v *podValidator) nfs(at *check.Path, s *corev1.NFSVolumeSource) {
	v.needs(at, "nfs.server", s.Server)
	v.needs(at, "nfs.path", s.Path)
	if !strings.HasPrefix(s.Path, "/") {
		v.Invalid(at, "nfs.path", s.Path, "must be an absolute path")
	}
}

func (v *podValidator) flocker(at *check.Path, s *corev1.FlockerVolumeSource) {
	if s.DatasetName == "" && s.DatasetUUID == "" {
		v.Required(at, "flocker", "one of datasetName and datasetUUID is required")
	}
	if s.DatasetName != "" && s.DatasetUUID != "" {
		v.Invalid(at, "flocker", "resource", "datasetName and datasetUUID can not be specified simultaneously")
	}
	if strings.Contains(s.DatasetName, "/") {
		v.Invalid(at, "flocker.datasetName", s.DatasetName, "must not contain '/'")
	}
}

func (v *podValidator) fibreChannel(at *check.Path, s *corev1.FCVolumeSource) {
	if len(s.TargetWWNs) == 0 && len(s.WWIDs) == 0 {
		v.Required(at, "fc.targetWWNs", "must specify either targetWWNs or wwids, but not both")
	}
	if len(s.TargetWWNs) == 0 {
		return
	}
	if len(s.WWIDs) != 0 {
		v.Invalid(at, "fc.targetWWNs", s.TargetWWNs, "targetWWNs and wwids can not be specified simultaneously")
	}
	if s.Lun == nil {
		v.Required(at, "fc.lun", "lun is required if targetWWNs is specified")
	} else if *s.Lun < 0 || *s.Lun > 255 {
		v.Invalid(at, "fc.lun", *s.Lun, validation.InclusiveRangeError(0, 255))
	}
}

func (v *podValidator) csi(at *check.Path, s *corev1.CSIVolumeSource) {
	v.csiDriver(at, s.Driver)
	if r := s.NodePublishSecretRef; r != nil {
		if r.Name == "" {
			v.Required(at, "csi.nodePublishSecretRef.name", "")
		} else {
			v.DNSSubdomain(at, "csi.name", r.Name)
		}
	}
}

func (v *podValidator) scaleIO(at *check.Path, s *corev1.ScaleIOVolumeSource) {
	v.needs(at, "scaleIO.gateway", s.Gateway)
	v.needs(at, "scaleIO.system", s.System)
	v.needs(at, "scaleIO.volumeName", s.VolumeName)
}

func (v *podValidator) storageOS(at *check.Path, s *corev1.StorageOSVolumeSource) {
	if s.VolumeName == "" {
		v.Required(at, "storageos.volumeName", "")
	} else {
		v.DNSLabel(at, "storageos.volumeName", s.VolumeName)
	}
	if s.VolumeNamespace != "" {
		v.DNSLabel(at, "storageos.volumeNamespace", s.VolumeNamespace)
	}
	if s.SecretRef != nil {
		v.needs(at, "storageos.secretRef.name", s.SecretRef.Name)
	}
}
